import sparticuz from '@sparticuz/chromium';

/** Run in a process of its own: the package unpacks into the folder for temporary files, whatever its name. */
await sparticuz.executablePath();

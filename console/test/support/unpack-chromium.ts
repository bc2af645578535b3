import sparticuz from '@sparticuz/chromium';

/** Run in a separate process: the package unpacks into the temporary folder, whatever its name. */
await sparticuz.executablePath();

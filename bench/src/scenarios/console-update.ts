import { launchBrowser, signUp, visit } from '../../../console/test/support/browser.ts';
import { buildConsole } from '../../../console/test/support/build.ts';
import { requestBytes, send } from '../load/connection.ts';
import { folder } from '../processes.ts';
import { row } from '../row.ts';
import type { Scenario } from '../scenario.ts';
import { startDemonstration } from '../subjects/petstore.ts';

const CHANGES = 20;

export const consoleUpdate: Scenario = {
  name: 'console',
  title: 'from the answer to a change until the console shows it, in Chromium',
  async run({ options, progress }) {
    await buildConsole();
    const petstore = await startDemonstration(folder('console'));
    const browser = await launchBrowser();
    try {
      await using visitor = await visit(browser);
      const { page } = visitor;
      const { key } = await signUp(page, `http://127.0.0.1:${petstore.port}`);
      await page.getByRole('link', { name: /I have saved it/ }).click();
      await page.goto(`http://127.0.0.1:${petstore.port}/console/pets`);
      await page.getByText('Live', { exact: true }).waitFor();
      const times: number[] = [];
      const changes = CHANGES * (options.quick ? 1 : options.rounds);
      for (let change = 0; change <= changes; change++) {
        progress(`change ${change} of ${changes}`);
        const stock = 100 + change;
        const shown = page.evaluate<number>(untilShown(String(stock)));
        await page.evaluate(() => 0);
        const request = requestBytes('PATCH', '/v2/pets/1', { key, body: `{"stock":${stock}}` });
        const { status } = await send(petstore.port, request);
        const answeredAt = Date.now();
        if (status !== 200) throw new Error(`a change was answered with ${status}`);
        const shownAt = await shown;
        if (change > 0) times.push(Math.max(0, shownAt - answeredAt));
      }
      const what = 'from a change until the console shows it';
      return [row({ scenario: 'console', engine: 'sqlite', what, unit: 'ms' }, times, { atMost: 100 })];
    } finally {
      await browser.close();
      await petstore.stop();
    }
  },
};

/** Run by the page, which notes the moment itself: asking it again and again would be in its way. */
const untilShown = (text: string) => `new Promise((resolve) => {
  const look = () => {
    if (![...document.querySelectorAll('li p span')].some((span) => span.textContent === '${text}')) return;
    observer.disconnect();
    resolve(Date.now());
  };
  const observer = new MutationObserver(look);
  observer.observe(document.body, { childList: true, characterData: true, subtree: true });
})`;

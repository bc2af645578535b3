import type { Requester } from './http.ts';

/** The value of every series in /metrics by name and labels, without the `deployment` label, which all have. */
export async function readMetrics(request: Requester): Promise<Map<string, number>> {
  const { text } = await request('GET /metrics');
  const series = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    series.map((line) => {
      const [name = '', value] = line.split(/ (?=\S+$)/);
      return [
        name
          .replace(/,?deployment="\w+"/, '')
          .replace('{,', '{')
          .replace('{}', ''),
        Number(value),
      ];
    }),
  );
}

import { type Failure, failureOf, type Report } from './report.ts';

type Line = { id: string; section: string; sentence: string; verdict: string; reason?: string } & Failure;

/** Prints one JSON object when everything is done. */
export function jsonReport(secrets: readonly string[], print: (text: string) => void): Report {
  const checks: Line[] = [];
  return {
    result(result) {
      const { id, section, sentence } = result.check;
      checks.push({
        ...{ id, section, sentence, verdict: result.verdict },
        ...(result.verdict === 'not checked' && { reason: result.reason }),
        ...(result.verdict === 'failed' && failureOf(result.error, secrets)),
      });
    },
    end(count, notes) {
      const { passed, failed, 'not checked': notChecked } = count;
      print(`${JSON.stringify({ checks, passed, failed, notChecked, notes }, null, 2)}\n`);
    },
  };
}

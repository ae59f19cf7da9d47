import type { ElectronApplication } from 'playwright/test';

/**
 * Answers the questions that the application asks natively, one after the other, as a person would; what comes after the
 * last answer is declined. Returns what was asked so far, in its words.
 */
export async function answerQuestions(
  app: ElectronApplication,
  answers: readonly ('yes' | 'no')[],
): Promise<() => Promise<string[]>> {
  await app.evaluate(({ dialog }, given) => {
    const asked: string[] = [];
    Object.assign(globalThis, { askedNatively: asked });
    dialog.showMessageBox = (async (...question: unknown[]) => {
      const { message, detail } = question.at(-1) as { message: string; detail: string };
      asked.push(`${message}\n${detail}`);
      return { response: given[asked.length - 1] === 'yes' ? 1 : 0, checkboxChecked: false };
    }) as typeof dialog.showMessageBox;
  }, answers);
  return () => app.evaluate(() => (globalThis as unknown as { askedNatively: string[] }).askedNatively);
}

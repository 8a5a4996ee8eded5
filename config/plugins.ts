/** Built-in plugins and adapters that are off at the first start; from then on the admin decides in the console. */
export const offAtFirstStart: readonly string[] = [
  'budgets',
  'capture',
  'pii-masking',
  'response-cache',
]

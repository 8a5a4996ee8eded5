// Source: volcengine.com/docs/82379/1330310, model list. The names without a date are those of older gateways.
export const volcengineModels: readonly string[] = [
  'Doubao-pro-128k',
  'Doubao-pro-32k',
  'Doubao-pro-4k',
  'Doubao-lite-128k',
  'Doubao-lite-32k',
  'Doubao-lite-4k',
  'Doubao-embedding',
  'doubao-1-5-pro-32k-250115',
  'doubao-1-5-lite-32k-250115',
  'doubao-1-5-thinking-pro-250415',
  'doubao-seed-1-6-250615',
  'doubao-seed-1-6-thinking-250715',
  'deepseek-r1-250120',
  'deepseek-v3-241226',
  'doubao-seedream-3-0-t2i-250415',
]

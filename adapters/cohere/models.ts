// Source: docs.cohere.com, page "Models".
export const cohereModels: readonly string[] = [
  'command-a-03-2025',
  'command-a-reasoning-08-2025',
  'command-a-vision-07-2025',
  'command-r7b-12-2024',
  'command-r-plus-08-2024',
  'command-r-08-2024',
  'command-r-plus',
  'command-r',
  'c4ai-aya-expanse-32b',
  'c4ai-aya-expanse-8b', // (unconfirmed) whether it is still served
  'embed-v4.0',
  'embed-english-v3.0',
  'embed-multilingual-v3.0',
  'embed-english-light-v3.0',
  'embed-multilingual-light-v3.0',
  'rerank-v4.0-pro', // (unconfirmed)
  'rerank-v3.5',
  'rerank-english-v3.0',
  'rerank-multilingual-v3.0',
]

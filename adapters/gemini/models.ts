// Source: ai.google.dev/gemini-api/docs/models, without those that ai.google.dev/gemini-api/docs/deprecations has as shut down (Imagen in August 2026);
// a name of them that is added by hand still finds its endpoint. Nor are those offered whose calls Google answers with a later model, since 8 October 2026
// `gemini-3.7-flash` and `-3.5-flash` (ai.google.dev/gemini-api/docs/changelog). `gemini-3.1-flash-image` ended on 29 October here
// (github.com/BerriAI/litellm/discussions/44983), though not on Vertex AI.
export const geminiModels: readonly string[] = [
  'gemini-4-carbon',
  'gemini-4-argon',
  'gemini-4-hydrogen',
  'gemini-3.8-flash',
  'gemini-3.6-flash',
  'gemini-3.5-flash-lite',
  'gemini-3.1-flash-lite',
  'gemini-3.8-flash-tts',
  'gemini-3.8-live',
  'gemini-3.1-pro-preview',
  'gemini-nano-banana-2.1',
  'gemini-3-flash-preview',
  'gemini-3-pro-image',
  'gemini-2.5-flash-lite',
  'gemini-2.5-flash-image',
  'gemini-pro-latest',
  'gemini-flash-latest',
  'gemini-flash-lite-latest',
  'gemma-3-27b-it',
  'gemini-embedding-2',
  'gemini-embedding-001',
]

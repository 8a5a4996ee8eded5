// GitHub Models, which GitHub retired on 30 July 2026 (github.com/orgs/community/discussions/203602): kept for older channels and private mirrors. It
// speaks the OpenAI dialect, without a version in its paths. Source: docs.github.com/rest/models.
import { defineAdapter } from '#core'
import { fitReasoningModel, openaiCompatible } from '#adapter-kit'

export default defineAdapter({
  id: 'github-models',
  channelTypes: { 1015: 'GitHub Models' },
  baseUrl: 'https://models.github.ai/inference',
  models: [
    'openai/gpt-4.1',
    'openai/gpt-4o-mini',
    'meta/Llama-3.3-70B-Instruct',
    'deepseek/DeepSeek-V3-0324',
    'openai/text-embedding-3-small',
  ],
  mark: 'github',
  picker: { zh: 'GitHub Models（已停用）', aliases: ['Copilot', 'Microsoft'] },
  summary:
    'Models of several vendors with a token of GitHub, until GitHub withdrew the service in July 2026.',
  operations: openaiCompatible({
    operations: ['embeddings'],
    // OpenAI's own rules for its own models: gpt-5 refuses max_tokens and temperature.
    request: { chat: (body, { drop }) => fitReasoningModel(body, drop) },
    paths: { chat: '/chat/completions', embeddings: '/embeddings' },
  }),
  form: {
    key: {
      en: 'A GitHub token with the permission "models: read".',
      zh: '具有 models: read 权限的 GitHub 令牌。',
    },
  },
})

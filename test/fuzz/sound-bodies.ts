// A body that each family of routes takes, so that a fuzz gets past the first check and reaches what lies behind it.

export const fuzzModel = 'fuzz-model'
/** Also names that are no keys of a plain map. */
export const fuzzModels = [fuzzModel, '__proto__', 'constructor', 'dall-e-3', 'whisper-1', 'tts-1']

export type Fields = Record<string, unknown>

const messages = [{ role: 'user', content: 'Hi' }]
const tools = [
  { type: 'function', function: { name: 'f', parameters: { type: 'object', properties: {} } } },
]

const chat: Fields = {
  model: fuzzModel,
  messages,
  stream: false,
  n: 1,
  max_tokens: 5,
  max_completion_tokens: 5,
  temperature: 1,
  stop: ['x'],
  tools,
  tool_choice: 'auto',
  response_format: { type: 'text' },
  stream_options: { include_usage: true },
  logprobs: true,
  top_logprobs: 1,
  user: 'u',
  models: [fuzzModel],
  reasoning_effort: 'low',
  metadata: {},
}

const anthropic: Fields = {
  model: fuzzModel,
  max_tokens: 5,
  messages,
  system: 'Be kind.',
  stop_sequences: ['x'],
  thinking: { type: 'disabled' },
  tools: [{ name: 'f', input_schema: { type: 'object' } }],
  tool_choice: { type: 'auto' },
  metadata: { user_id: 'u' },
}

const gemini: Fields = {
  contents: [{ role: 'user', parts: [{ text: 'Hi' }] }],
  systemInstruction: { parts: [{ text: 'Be kind.' }] },
  generationConfig: { candidateCount: 1, maxOutputTokens: 5, stopSequences: ['x'] },
  tools: [{ functionDeclarations: [{ name: 'f', parameters: { type: 'object' } }] }],
  safetySettings: [],
}

const interaction: Fields = {
  model: fuzzModel,
  input: [
    { type: 'user_input', content: [{ type: 'text', text: 'Hi' }] },
    { type: 'thought', signature: 'cw==', summary: [{ type: 'text', text: 'Hm.' }] },
    { type: 'function_call', id: 'c', name: 'f', arguments: {} },
    { type: 'function_result', call_id: 'c', name: 'f', result: [{ type: 'text', text: '1' }] },
  ],
  system_instruction: 'Be kind.',
  generation_config: { max_output_tokens: 5, stop_sequences: ['x'], tool_choice: 'auto' },
  tools: [{ type: 'function', name: 'f', parameters: { type: 'object' } }],
  response_format: { type: 'text', mime_type: 'text/plain' },
  safety_settings: [],
  store: true,
  stream: false,
}

const images: Fields = {
  model: 'dall-e-3',
  prompt: 'A tree',
  n: 1,
  size: '1024x1024',
  quality: 'standard',
  style: 'vivid',
  response_format: 'url',
}

const responses: Fields = {
  model: fuzzModel,
  input: 'Hi',
  instructions: 'Be kind.',
  max_output_tokens: 20,
  tools: [{ type: 'function', name: 'f', parameters: {} }],
  tool_choice: 'auto',
  previous_response_id: null,
  reasoning: { effort: 'low' },
  text: { format: { type: 'text' } },
  include: [],
  background: false,
}

const byPath: readonly (readonly [RegExp, Fields])[] = [
  [/^\/(?:v1|pg)\/chat\/completions$/, chat],
  [
    /^\/v1\/completions$/,
    { model: fuzzModel, prompt: 'Hi', suffix: 'x', best_of: 1, n: 1, echo: false, max_tokens: 5 },
  ],
  [/embeddings$/, { model: fuzzModel, input: ['Hi'], dimensions: 8, encoding_format: 'float' }],
  [/^\/v1\/messages/, anthropic],
  [/^\/v1beta\/models\//, gemini],
  [/^\/v1(?:alpha|beta)?\/interactions$/, interaction],
  [/^\/v1\/images\//, images],
  [
    /^\/v1\/audio\/speech$/,
    { model: 'tts-1', input: 'Hi', voice: 'alloy', speed: 1, response_format: 'mp3' },
  ],
  [/^\/v1\/responses/, responses],
  [/^\/v1\/moderations$/, { model: fuzzModel, input: 'Hi' }],
  [
    /^\/v1\/decisions$/,
    { model: fuzzModel, input: 'Hi', questions: [{ type: 'predicate', instructions: 'Is it?' }] },
  ],
  [/rerank$/, { model: fuzzModel, query: 'Hi', documents: ['a'], top_n: 1, max_chunks_per_doc: 1 }],
  [
    /\/mj\/submit\//,
    {
      prompt: 'A tree',
      base64Array: [],
      taskId: '1',
      index: 1,
      action: 'UPSCALE',
      content: '1 U1',
      botType: 'x',
      notifyHook: 'http://127.0.0.1:1',
      state: 's',
    },
  ],
  [
    /^\/suno\/submit\//,
    {
      prompt: 'A song',
      mv: 'chirp-v3',
      tags: 't',
      title: 't',
      task_id: '1',
      notify_hook: 'http://127.0.0.1:1',
    },
  ],
  [/^\/suno\/fetch|list-by-condition$/, { ids: ['1'] }],
  [/^\/api\/channel\/fetch_models$/, { type: 1, key: 'k', base_url: 'http://127.0.0.1:1', id: 1 }],
  [/^\/api\/channel\/batch$/, { ids: [987_654] }],
  [
    /^\/api\/channel\/(?:batch\/)?tag/,
    {
      tag: 't',
      ids: [987_654],
      new_tag: 'u',
      models: 'm',
      model_mapping: '{}',
      groups: 'g',
      priority: 1,
      weight: 1,
    },
  ],
  [
    /^\/api\/channel/,
    {
      id: 987_654,
      type: 1,
      name: 'c',
      key: 'k',
      models: 'm',
      group: 'default',
      base_url: 'http://127.0.0.1:1',
      other: '',
      priority: 1,
      weight: 1,
      auto_ban: 1,
      status: 2,
      tag: 't',
      test_model: 'm',
      model_mapping: '{}',
      status_code_mapping: '{}',
      setting: '{}',
      param_override: '{}',
      header_override: '{}',
      openai_organization: 'o',
    },
  ],
  [
    /^\/api\/token/,
    {
      id: 987_654,
      name: 't',
      remain_quota: 1,
      expired_time: -1,
      unlimited_quota: false,
      model_limits_enabled: true,
      model_limits: 'm',
      allow_ips: '127.0.0.1',
      group: 'default',
      status: 1,
    },
  ],
  [
    /^\/api\/user\/(?:login|register)$/,
    {
      username: 'nobody',
      password: 'no password 1',
      password2: 'no password 1',
      verification_code: 'x',
      aff_code: 'x',
      email: 'a@b.c',
    },
  ],
  [/^\/api\/user\/manage$/, { id: 987_654, username: 'nobody', action: 'disable' }],
  [
    /^\/api\/user\/setting$/,
    {
      notify_type: 'email',
      quota_warning_threshold: 1,
      webhook_url: 'http://127.0.0.1:1',
      webhook_secret: 's',
      notification_email: 'a@b.c',
      accept_unset_model_ratio_model: false,
      record_ip_log: false,
    },
  ],
  [/^\/api\/user\/aff_transfer$/, { quota: 1 }],
  [
    /^\/api\/user/,
    {
      id: 987_654,
      username: 'some-one',
      display_name: 'd',
      password: 'a password 1',
      quota: 1,
      group: 'default',
      remark: 'r',
      role: 1,
      status: 1,
      email: 'a@b.c',
    },
  ],
  [/^\/api\/option/, { key: 'RetryTimes', value: '1' }],
  [/^\/api\/plugin\/install/, { from: 'folder', path: '/nowhere' }],
  [/^\/api\/plugin\/(?:version|remove-version)/, { id: 'no-such-plugin', version: '1.0.0' }],
  [/^\/api\/plugin\/uninstall/, { id: 'no-such-plugin', tables: 'keep', options: 'keep' }],
  [/^\/api\/plugin/, { id: 'no-such-plugin', enabled: true }],
  [
    /^\/api\/setup$/,
    {
      username: 'root2',
      password: 'a password 1',
      confirmPassword: 'a password 1',
      SelfUseModeEnabled: false,
      DemoSiteEnabled: false,
    },
  ],
]

/** @returns undefined for a route that reads no fields */
export function soundBody(path: string): Fields | undefined {
  return byPath.find(([pattern]) => pattern.test(path))?.[1]
}

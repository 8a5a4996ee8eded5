// The errors that the gateway itself makes on relay routes. How each dialect words them: relay-error-wording.ts.
import { errorType, type ErrorValues } from '../../contract/errors.ts'

const relay = (code: string, status: number, en: string, zh: string) =>
  errorType<ErrorValues>(`relay.${code}`, status, { en, zh }, { relay: code })

export const relayErrors = {
  keyMissing: relay(
    'invalid_api_key',
    401,
    'No API key was given. Send it as "Authorization: Bearer sk-…".',
    '未提供 API 密钥，请以“Authorization: Bearer sk-…”发送。',
  ),
  // OpenAI's words, by which LiteLLM tells a wrong key from a bad request.
  keyUnknown: relay('invalid_api_key', 401, 'Incorrect API key provided.', 'API 密钥无效。'),
  keyExpired: relay('api_key_expired', 401, 'The API key has expired.', 'API 密钥已过期。'),
  keyDisabled: relay('api_key_disabled', 401, 'The API key is disabled.', 'API 密钥已禁用。'),
  keyExhausted: relay(
    'token_quota_exhausted',
    403,
    'The quota of this API key ({key}) is used up.',
    'API 密钥（{key}）的额度已用尽。',
  ),
  addressRefused: relay(
    'ip_not_allowed',
    403,
    'This API key may not be used from your address.',
    '该 API 密钥不允许从您的地址使用。',
  ),
  userDisabled: relay(
    'user_disabled',
    403,
    'The account of this API key is disabled.',
    '该 API 密钥所属账户已被禁用。',
  ),
  groupRefused: relay(
    'group_not_allowed',
    403,
    'The user may not use the group "{group}".',
    '该用户无权使用分组“{group}”。',
  ),
  modelRefused: relay(
    'model_not_allowed',
    403,
    'This API key may not use the model "{model}".',
    '该 API 密钥无权使用模型“{model}”。',
  ),
  pinRefused: relay(
    'channel_pin_not_allowed',
    403,
    'Only administrators may name a channel in the key.',
    '只有管理员可以在密钥中指定渠道。',
  ),
  pinUnknown: relay('invalid_channel', 400, 'There is no channel {id}.', '渠道 {id} 不存在。'),
  pinDisabled: relay('invalid_channel', 403, 'Channel {id} is disabled.', '渠道 {id} 已被禁用。'),
  modelUnknown: relay(
    'model_not_found',
    404,
    'The model "{model}" does not exist or is not served here.',
    '模型“{model}”不存在或未提供。',
  ),
  noChannel: relay(
    'no_available_channel',
    503,
    'No channel is available for the model "{model}" in the group "{group}".',
    '分组“{group}”下没有可用于模型“{model}”的渠道。',
  ),
  modelRequired: relay('model_required', 400, 'model is required.', '请选择模型。'),
  accessTokenRefused: relay(
    'access_token_not_supported',
    400,
    'The playground wants a signed-in session, not an access token.',
    '操练场需要登录会话，不支持访问令牌。',
  ),
  responseUnknown: relay(
    'response_not_found',
    404,
    'There is no stored response {id}.',
    '未找到已存储的响应 {id}。',
  ),
  previousUnknown: relay(
    'previous_response_not_found',
    400,
    'There is no stored response that this call could go on from: send the conversation in input.',
    '未找到可供本次调用继续的已存储响应：请在 input 中发送完整对话。',
  ),
  invalid: relay('invalid_request', 400, '{reason}', '{reason}'),
  unsupported: relay(
    'unsupported_parameter',
    400,
    '{field} is not supported: {reason}',
    '不支持 {field}：{reason}',
  ),
  tooSlow: relay(
    'upstream_timeout',
    504,
    'The upstream took too long to answer.',
    '上游响应超时。',
  ),
  unreadable: relay(
    'bad_response_body',
    502,
    'The answer of the upstream could not be read.',
    '无法解析上游的响应。',
  ),
  cut: relay(
    'bad_response_body',
    502,
    'The upstream ended its answer too early.',
    '上游提前结束了响应。',
  ),
  tooManySessions: relay(
    'too_many_sessions',
    429,
    'You have {max} WebSocket sessions open, which is the limit. End one first.',
    '您已打开 {max} 个 WebSocket 会话，已达上限，请先结束一个。',
  ),
  sessionsFull: relay(
    'sessions_full',
    503,
    'This gateway has as many WebSocket sessions open as it takes. Try again later.',
    '网关的 WebSocket 会话数已达上限，请稍后重试。',
  ),
  socketBusy: relay(
    'too_many_turns',
    429,
    'This connection has as many turns under way as it takes. Wait for an answer first.',
    '此连接上进行中的轮次已达上限，请先等待回复。',
  ),
  // OpenAI's code, by which its clients know to connect again.
  socketTooOld: relay(
    'websocket_connection_limit_reached',
    400,
    'This connection has reached its limit of 60 minutes. Open a new one.',
    '此连接已达到 60 分钟的上限，请重新连接。',
  ),
  overloaded: relay(
    'gateway_overloaded',
    503,
    'This gateway has as many calls open as it takes. Try again in a few seconds.',
    '网关正在处理的请求数已达上限，请几秒后重试。',
  ),
  answersFull: relay(
    'answers_full',
    503,
    'The gateway has too many large answers in hand. Try again in a few seconds.',
    '网关正在处理的大响应过多，请几秒后重试。',
  ),
  answerTooLarge: relay(
    'answer_too_large',
    502,
    'The answer is larger than this gateway can hold in memory.',
    '响应过大，超出网关的内存容量。',
  ),
  stopping: relay(
    'gateway_stopping',
    503,
    'The gateway is stopping. Try again.',
    '网关正在停止，请重试。',
  ),
  starting: relay(
    'gateway_starting',
    503,
    'The gateway is starting again. Try again in a few seconds.',
    '网关正在重新启动，请几秒后重试。',
  ),
  loop: relay(
    'loop_detected',
    508,
    'This call has come back to the gateway that sent it: a channel leads to the gateway itself.',
    '请求回到了发出它的网关：有渠道指向网关自身。',
  ),
  notImplemented: relay('api_not_implemented', 501, 'API not implemented', '接口未实现'),
  answerGuarded: relay(
    'answer_guarded',
    403,
    'This gateway looks at every answer of this model: ask for it without `background`, and keep it, for it cannot be fetched again.',
    '网关会检查此模型的每个回答：请去掉 background 再请求，并自行保存回答，之后无法再次获取。',
  ),
  hookFailed: relay(
    'internal_error',
    500,
    'A check of this gateway failed. Try again.',
    '网关检查失败，请重试。',
  ),
}

/** A stored response or interaction that is not this user's, or not known (any more). */
export function unknownResponse(id: string): Error {
  return relayErrors.responseUnknown({ id: id.slice(0, 100) }, { field: 'id' })
}

import { errorType, type Text } from '../contract/errors.ts'

export const channelChanged = errorType<{ field: string }>('channel.changed', 409, {
  en: 'This channel was changed elsewhere meanwhile ({field}). Close the form and open it again to see how it is now.',
  zh: '该渠道已在别处被修改（{field}）。请关闭表单后重新打开，查看当前内容。',
})
export const channelNotFound = errorType<{ id: number }>('channel.not_found', 404, {
  en: 'There is no channel {id}.',
  zh: '渠道 {id} 不存在。',
})

export const channelTypeUnknown = errorType<{ type: number }>('channel.type_unknown', 400, {
  en: 'type: no adapter that is on serves channel type {type}.',
  zh: 'type：没有已启用的适配器支持渠道类型 {type}。',
})

export const channelFieldMissing = errorType<{ field: string }>('channel.field_missing', 400, {
  en: 'A channel of this type needs the field {field}.',
  zh: '此类型的渠道必须填写字段 {field}。',
})

export const channelFieldNotText = errorType<{ field: string }>('channel.field_not_text', 400, {
  en: '{field} must be text.',
  zh: '{field} 必须是文本。',
})

export const channelFieldTooLong = errorType<{ field: string; max: number }>(
  'channel.field_too_long',
  400,
  { en: '{field} has at most {max} characters.', zh: '{field} 最多 {max} 个字符。' },
)

export const channelFieldNotNumber = errorType<{ field: string; min: number; max: number }>(
  'channel.field_not_number',
  400,
  {
    en: '{field} must be a whole number from {min} to {max}.',
    zh: '{field} 必须是 {min} 到 {max} 之间的整数。',
  },
)

export const channelFieldNotJson = errorType<{ field: string }>('channel.field_not_json', 400, {
  en: '{field} is not a valid JSON object.',
  zh: '{field} 不是有效的 JSON 对象。',
})

export const channelMappingInvalid = errorType('channel.mapping_invalid', 400, {
  en: 'model_mapping must be a JSON object from model name to model name.',
  zh: 'model_mapping 必须是从模型名称到模型名称的 JSON 对象。',
})

export const channelStatusCodesInvalid = errorType('channel.status_codes_invalid', 400, {
  en: 'status_code_mapping must be a JSON object from HTTP status to HTTP status.',
  zh: 'status_code_mapping 必须是从 HTTP 状态码到 HTTP 状态码的 JSON 对象。',
})

export const channelUrlInvalid = errorType('channel.url_invalid', 400, {
  en: 'base_url must be an http or https URL.',
  zh: 'base_url 必须是 http 或 https 地址。',
})

export const channelProxyInvalid = errorType('channel.proxy_invalid', 400, {
  en: 'setting: proxy must be an http, https or socks5 URL.',
  zh: 'setting：proxy 必须是 http、https 或 socks5 地址。',
})

export const channelSettingInvalid = errorType<{ key: string }>('channel.setting_invalid', 400, {
  en: 'setting: {key} has a value that it cannot have. docs/channel-types.md lists the settings.',
  zh: 'setting：{key} 的值无效，可用的设置见 docs/channel-types.md。',
})

export const channelHeaderInvalid = errorType<{ line: number }>('channel.header_invalid', 400, {
  en: 'setting: line {line} of headers is no `Name: value` that can be sent, or the 21st header. Headers of the connection and the body cannot be set.',
  zh: 'setting：headers 第 {line} 行不是可发送的“名称: 值”，或超过 20 个；与连接和请求体有关的请求头不能设置。',
})

export const channelHeadersUnaddressed = errorType('channel.headers_unaddressed', 400, {
  en: 'setting: headers go to the host of the channel’s address only. Give it a base_url.',
  zh: 'setting：headers 只发往渠道地址的主机，请填写 base_url。',
})

export const channelOverrideInvalid = errorType<{ position: number }>(
  'channel.override_invalid',
  400,
  {
    en: 'param_override: operation {position} is not one of those that docs/param-override.md lists.',
    zh: 'param_override：第 {position} 个操作不在 docs/param-override.md 所列之内。',
  },
)

export const channelOtherInvalid = errorType('channel.other_invalid', 400, {
  en: 'other: a JSON object needs the key default.',
  zh: 'other：JSON 对象必须包含键 default。',
})

export const channelModelsMissing = errorType('channel.models_missing', 400, {
  en: 'models must name at least one model.',
  zh: 'models 至少要包含一个模型。',
})

export const channelKeyNotSingle = errorType('channel.key_not_single', 400, {
  en: 'key: a channel has one key of one line. Add further keys as new channels.',
  zh: 'key：一个渠道只能有一行密钥，其余密钥请新建渠道。',
})

export const channelKeyNeeded = errorType<{ field: string }>('channel.key_needed', 400, {
  en: 'key: the address that the key is sent to has changed, so enter the key again.',
  zh: 'key：密钥的发送地址已更改，请重新填写密钥。',
})

export const channelSecretNeeded = errorType<{ key: string }>('channel.secret_needed', 400, {
  en: 'setting: what is stored as {key} would go to another host. Enter it again or remove it.',
  zh: 'setting：已保存的 {key} 将发往其他主机，请重新填写或移除。',
})

export const channelTooManyKeys = errorType<{ max: number }>('channel.too_many_keys', 400, {
  en: 'key: at most {max} keys can be added at once.',
  zh: 'key：一次最多添加 {max} 个密钥。',
})

export const channelTooManyRoutes = errorType<{ field: string; max: number }>(
  'channel.too_many_routes',
  400,
  {
    en: '{field}: models times groups of one channel are more than {max}. Split it into several channels.',
    zh: '{field}：单个渠道的模型数乘以分组数不能超过 {max}，请拆分为多个渠道。',
  },
)

export const channelModelTooLong = errorType<{ model: string }>('channel.model_too_long', 400, {
  en: 'models: the name {model}… is longer than 255 bytes.',
  zh: 'models：模型名称 {model}… 超过 255 字节。',
})

export const channelIdsMissing = errorType('channel.ids_missing', 400, {
  en: 'Bad parameter: ids must name at least one channel.',
  zh: '参数错误：ids 至少要包含一个渠道。',
})

export const channelTagMissing = errorType('channel.tag_missing', 400, {
  en: 'The tag must not be empty.',
  zh: '标签不能为空。',
})

export const channelTestRunning = errorType('channel.test_running', 409, {
  en: 'A test of all channels is already running.',
  zh: '全部渠道的测试正在运行。',
})

export const channelCallFailed = errorType<{ reason: string | Text }>('channel.call_failed', 502, {
  en: 'The upstream call failed: {reason}',
  zh: '上游请求失败：{reason}',
})

export const channelBalanceUnsupported = errorType('channel.balance_unsupported', 501, {
  en: 'Balance queries are not supported for this channel type.',
  zh: '此类型的渠道不支持查询余额。',
})

export const channelTestUnsupported = errorType<{ subject: string | Text }>(
  'channel.test_unsupported',
  501,
  {
    en: 'A test is not supported for {subject}.',
    zh: '{subject} 不支持测试。',
  },
)

export const channelKeyNotRefused = errorType<{ position: number }>(
  'channel.key_not_refused',
  409,
  {
    en: 'Key {position} of this channel is not refused. Reload the list to see which keys are.',
    zh: '该渠道的第 {position} 个密钥并未停用，请刷新列表后重试。',
  },
)

export const channelKeysGone = errorType('channel.keys_gone', 400, {
  en: 'No key would be left. Enter other keys in the form of the channel.',
  zh: '这样将没有剩余密钥，请在渠道表单中填写新的密钥。',
})

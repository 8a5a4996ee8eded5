import { ChannelFault, isObject, type ChannelView } from '#core'

/** `other` is a region, or a JSON map from the client's model name to a region with a `default`. @throws ChannelFault */
export function regionOf({ other }: Pick<ChannelView, 'other'>, requestedModel: string): string {
  const text = other.trim()
  const region = text.startsWith('{') ? fromMap(text, requestedModel) : text
  if (typeof region === 'string' && /^[a-z0-9-]+$/.test(region)) return region
  throw new ChannelFault('invalid_channel_setting', {
    en: 'The region must be a name such as us-central1, or a JSON map of models with the key "default".',
    zh: '区域应为 us-central1 之类的名称，或包含 "default" 键的模型 JSON 映射。',
  })
}

function fromMap(text: string, model: string): unknown {
  try {
    const map: unknown = JSON.parse(text)
    if (!isObject(map)) return undefined
    return (Object.hasOwn(map, model) ? map[model] : undefined) ?? map['default']
  } catch {
    return undefined
  }
}

export function hostOf(region: string): string {
  if (region === 'global') return 'https://aiplatform.googleapis.com'
  return region === 'us' || region === 'eu'
    ? `https://aiplatform.${region}.rep.googleapis.com`
    : `https://${region}-aiplatform.googleapis.com`
}

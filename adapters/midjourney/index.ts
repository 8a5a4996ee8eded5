// Midjourney by a self-hosted proxy. Sources: novicezk/midjourney-proxy docs/api.md (type 2) and
// litter-coder/midjourney-proxy-plus docs/api.md (type 5), which adds buttons, modals and face swaps.
import { defineAdapter } from '#core'
import { midjourney } from './platform.ts'
import { readMidjourneyError } from './answers.ts'
import prices from './prices.json' with { type: 'json' }

const proxyModels = [
  'mj_imagine',
  'mj_variation',
  'mj_reroll',
  'mj_blend',
  'mj_upscale',
  'mj_describe',
  'mj_upload',
]
const plusModels = [
  'swap_face',
  ...proxyModels,
  'mj_zoom',
  'mj_shorten',
  'mj_modal',
  'mj_inpaint',
  'mj_custom_zoom',
  'mj_high_variation',
  'mj_low_variation',
  'mj_pan',
]

export default defineAdapter({
  id: 'midjourney',
  channelTypes: {
    2: { name: 'Midjourney Proxy', models: proxyModels },
    5: { name: 'Midjourney Proxy Plus', models: plusModels },
  },
  baseUrl: '',
  models: plusModels,
  prices,
  mark: 'midjourney',
  makes: ['mj_', 'mj-', 'midjourney', 'swap_face'],
  picker: { section: 'media', aliases: ['MJ', 'drawing', '绘图', '画图'] },
  summary: 'Midjourney drawings through a self-hosted midjourney-proxy or its plus relatives.',
  operations: {},
  tasks: midjourney,
  isTestable: false,
  readError: readMidjourneyError,
  form: {
    key: {
      en: 'The secret of the proxy, sent as mj-api-secret. If it has none, enter a long random text: whoever knows it may report drawings as failed while callbacks are allowed.',
      zh: '代理的密钥，以 mj-api-secret 发送。代理未设置密钥时，请填写一段较长的随机文本：允许回调时，知道它的人可以把绘图上报为失败。',
    },
    baseUrl: {
      required: true,
      help: {
        en: 'Origin of the midjourney-proxy server; /mj/… is appended.',
        zh: 'midjourney-proxy 服务的地址，会在其后追加 /mj/…。',
      },
    },
  },
})

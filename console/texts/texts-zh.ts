import own from '../locales/zh.json'
import { byPlugin } from './by-plugin.ts'

const files = import.meta.glob<Record<string, unknown>>('../../plugins/*/locales/zh.json', {
  eager: true,
  import: 'default',
})

export default { console: own, ...byPlugin(files) }

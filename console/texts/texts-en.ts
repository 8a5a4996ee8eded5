import own from '../locales/en.json'
import { byPlugin } from './by-plugin.ts'

const files = import.meta.glob<Record<string, unknown>>('../../plugins/*/locales/en.json', {
  eager: true,
  import: 'default',
})

export default { console: own, ...byPlugin(files) }

// What adapters of upstreams with a chat format of their own share.
export {
  closing,
  opening,
  reasoningEvents,
  textEvents,
  usageEvents,
  wholeCall,
} from './events.ts'
export { flatMessages, type FlatCall, type FlatMessage } from './flat-messages.ts'
export { reportDropped, type SayableField } from './report-dropped.ts'

import type { Adapter, ChannelView } from '../../contract/adapter.ts'
import { ChannelFault } from '../../contract/errors.ts'

/** Checks what the adapter's form requires, then runs the adapter's own check. Calls nothing.
 *  @throws ChannelFault */
export function checkChannel(adapter: Adapter, channel: ChannelView): void {
  const { form } = adapter
  if (form?.baseUrl?.required && channel.baseUrl === '')
    throw new ChannelFault('invalid_channel_setting', {
      en: 'This channel type needs a base URL.',
      zh: '此类型的渠道必须填写接口地址。',
    })
  if (form?.other?.required && channel.other.trim() === '')
    throw new ChannelFault('invalid_channel_setting', {
      en: `This channel type needs the field "${form.other.label.en}".`,
      zh: `此类型的渠道必须填写“${form.other.label.zh}”。`,
    })
  adapter.checkChannel?.(channel)
}

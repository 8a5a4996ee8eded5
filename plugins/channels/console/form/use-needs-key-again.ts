import { useFormValue } from '#console'
import { useChannelTypes } from '../channel-types.ts'
import { type ChannelForm, needsKeyAgain } from './channel-form.ts'

/** Whether what is typed would send the key and other secrets of the record to another host. */
export function useNeedsKeyAgain(record: ChannelForm | undefined): boolean {
  const types = useChannelTypes()
  const after = {
    type: useFormValue<number>('type'),
    base_url: useFormValue<string>('base_url'),
    setting: useFormValue<string>('setting'),
  }
  return needsKeyAgain(
    record,
    after,
    (type) => types.find((entry) => entry.type === type)?.base_url,
  )
}

import { passwordLength } from '../../../core/contract/constants.ts'
import { textsOf } from '../../texts/use-texts.ts'

/** A rule for Field: as long as the server takes a new password, in characters as it counts them. None is sound: where one is needed, the field says so. */
export const passwordRule = {
  validator: (value: string | undefined, answer: (fault?: string) => void) => {
    const { length } = Array.from(value ?? '')
    const { min, max } = passwordLength
    if (length > 0 && length < min) return answer(textsOf()('form.passwordTooShort', { min }))
    if (length > max) return answer(textsOf()('form.passwordTooLong', { max }))
    return answer()
  },
}

import { LONGEST_NAME, type Redemption } from '../schema.ts'

export interface CodeForm {
  name: string
  /** Units. */
  quota: number
  count: number
  /** Unix seconds; undefined: never. */
  expired_time: number | undefined
}

/** Default value of a new code, in units. */
const usualQuota = 100_000

export function emptyForm(): CodeForm {
  return { name: '', quota: usualQuota, count: 1, expired_time: undefined }
}

export function formOf({ name, quota, expired_time }: Redemption): CodeForm {
  return { name, quota, count: 1, expired_time: expired_time > 0 ? expired_time : undefined }
}

/** The body of a create or update call. A code without a name is named after its value. */
export function bodyOf(form: CodeForm, format: (units: number) => string) {
  const name = form.name?.trim() || Array.from(format(form.quota)).slice(0, LONGEST_NAME).join('')
  return { name, quota: form.quota, expired_time: form.expired_time ?? 0 }
}

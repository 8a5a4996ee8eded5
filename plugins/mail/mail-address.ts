const ADDRESS = /^[^\s@,;<>"]{1,64}@[^\s@,;<>"]{1,189}$/

/** One address without a name beside it. Whether anybody reads it shows when a mail is sent. */
export function isMailAddress(text: string): boolean {
  return ADDRESS.test(text)
}

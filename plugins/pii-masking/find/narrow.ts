const WIDE = 0xfee0
/** Digits, letters and `@`, without which nothing is found. Wide commas, colons and brackets are the sentence's. */
const telling = /[０-９Ａ-Ｚａ-ｚ＠]/
const wide = /[０-９Ａ-Ｚａ-ｚ＠．＋－＿]/g

/** The text with wide digits, letters and signs as ASCII has them, each in its place. */
export function narrow(text: string): string {
  if (!telling.test(text)) return text
  return text.replace(wide, (unit) => String.fromCharCode(unit.charCodeAt(0) - WIDE))
}

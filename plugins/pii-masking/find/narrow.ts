const WIDE = 0xfee0
/** The wide forms of digits, letters and `@`, without which nothing is found. Wide commas, colons and brackets
 *  belong to the sentence. */
const findable = /[０-９Ａ-Ｚａ-ｚ＠]/
const wide = /[０-９Ａ-Ｚａ-ｚ＠．＋－＿]/g

/** The text with wide digits, letters and `@` replaced by ASCII, each in its place. */
export function narrow(text: string): string {
  if (!findable.test(text)) return text
  return text.replace(wide, (unit) => String.fromCharCode(unit.charCodeAt(0) - WIDE))
}

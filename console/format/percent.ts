/** `4.1%`. What is not all is never shown as 100%, and what is not nothing never as 0%. */
export function formatPercent(share: number): string {
  const tenths = Math.round(share * 1000)
  if (tenths === 0 && share > 0) return '<0.1%'
  if (tenths === 1000 && share < 1) return '99.9%'
  return `${tenths / 10}%`
}

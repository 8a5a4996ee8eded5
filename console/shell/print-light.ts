/** Browsers leave the ground of a page out on paper, where the pale ink of the dark theme could not be read.
 *  @returns the disposer */
export function printLight(): () => void {
  let isDark = false
  const before = () => {
    isDark = document.body.getAttribute('arco-theme') === 'dark'
    if (isDark) document.body.removeAttribute('arco-theme')
  }
  const after = () => {
    if (isDark) document.body.setAttribute('arco-theme', 'dark')
  }
  window.addEventListener('beforeprint', before)
  window.addEventListener('afterprint', after)
  return () => {
    window.removeEventListener('beforeprint', before)
    window.removeEventListener('afterprint', after)
  }
}

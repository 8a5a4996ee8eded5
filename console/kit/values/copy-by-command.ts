/** Copies by the browser's own command, which needs a press, but no secure context: pages over plain HTTP have no
 *  `navigator.clipboard`. */
export function copyByCommand(text: string): boolean {
  // Safari carries the command out only where something is selected. The focus stays where it is.
  const shown = Object.assign(document.createElement('span'), { className: 'to-copy' })
  shown.textContent = text
  document.body.append(shown)
  const selection = document.getSelection()
  const before = selection?.rangeCount ? selection.getRangeAt(0) : undefined
  const give = (event: ClipboardEvent) => {
    event.clipboardData?.setData('text/plain', text)
    event.preventDefault()
    event.stopImmediatePropagation()
  }
  document.addEventListener('copy', give, { capture: true })
  try {
    selection?.selectAllChildren(shown)
    return document.execCommand('copy')
  } catch {
    return false
  } finally {
    document.removeEventListener('copy', give, { capture: true })
    shown.remove()
    selection?.removeAllRanges()
    if (before) selection?.addRange(before)
  }
}

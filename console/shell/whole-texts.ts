/** How far up from what is pointed at a cut text is looked for: a label within a cell within a card. */
const MOST_STEPS = 4

/** Shows the whole of a text that has no room, wherever one points at it: names, notes and titles of every screen, those of plugins too.
 *  @returns the disposer */
export function showWholeTexts(): () => void {
  const given = new WeakSet<Element>()
  const point = ({ target }: Event) => {
    const cut = target instanceof Element ? cutAround(target, given) : undefined
    if (!cut) return
    given.add(cut)
    cut.title = cut.innerText
  }
  // What has room by the next time needs no words; nor does a screen reader, which reads the whole anyway.
  const leave = ({ target }: Event) => {
    if (!(target instanceof Element)) return
    for (const element of upwards(target))
      if (given.delete(element)) element.removeAttribute('title')
  }
  document.addEventListener('pointerover', point)
  document.addEventListener('pointerout', leave)
  return () => {
    document.removeEventListener('pointerover', point)
    document.removeEventListener('pointerout', leave)
  }
}

/** Undefined where something around has words of its own. */
function cutAround(target: Element, given: WeakSet<Element>): HTMLElement | undefined {
  for (const element of upwards(target)) {
    if (element.hasAttribute('title') || given.has(element)) return undefined
    if (element instanceof HTMLElement && isCut(element)) return element
  }
  return undefined
}

function isCut(element: HTMLElement): boolean {
  return (
    element.scrollWidth > element.clientWidth &&
    getComputedStyle(element).textOverflow === 'ellipsis'
  )
}

function upwards(target: Element): Element[] {
  const found: Element[] = []
  for (let at: Element | null = target; at && found.length < MOST_STEPS; at = at.parentElement)
    found.push(at)
  return found
}

// Runs in every page of a window that `openWindow` made, before the page's own scripts. Tests ask it about the
// screen.
{
  let openCalls = 0
  let lastChange = performance.now()
  let shifts = 0
  const address = location.pathname

  const { fetch } = globalThis
  globalThis.fetch = async (...call) => {
    openCalls++
    try {
      return await fetch(...call)
    } finally {
      openCalls--
      lastChange = performance.now()
    }
  }
  new MutationObserver(() => {
    lastChange = performance.now()
  }).observe(document, { subtree: true, childList: true, characterData: true })
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      // A screen that redirects to another one is judged by the other one.
      if (!entry.hadRecentInput && location.pathname === address) shifts += entry.value
    }
  }).observe({ type: 'layout-shift', buffered: true })

  const kilobytesOf = (ending) =>
    performance
      .getEntriesByType('resource')
      .filter(({ name }) => new URL(name).pathname.endsWith(ending))
      .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0) / 1000

  const isQuiet = () => {
    const isLoading = document.querySelector('main [role=status].state, main .arco-spin-loading')
    const hasContent = document.querySelector('main')?.childElementCount > 0
    return hasContent && !isLoading && openCalls === 0 && performance.now() - lastChange > 100
  }

  const colorOf = (text) => text.match(/[\d.]+/g).map(Number)
  const lightnessOf = ([red, green, blue]) => {
    const [r, g, b] = [red, green, blue].map((part) => {
      const share = part / 255
      return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }

  globalThis.screenUnderTest = {
    /** Resolves when nothing is loading and nothing has changed for a moment. */
    untilQuiet: async () => {
      lastChange = performance.now()
      while (!isQuiet()) await new Promise((resolve) => setTimeout(resolve, 30))
    },
    measure: () => ({
      shift: shifts,
      scriptKb: kilobytesOf('.js'),
      styleKb: kilobytesOf('.css'),
    }),
    widthKept: () => document.documentElement.scrollWidth,
    showDark: () => {
      document.body.setAttribute('arco-theme', 'dark')
      document.documentElement.style.colorScheme = 'dark'
    },
    /** WCAG's contrast of the ink of the first such element with the grounds below it. */
    contrastOf: (selector) => {
      const element = document.querySelector(selector)
      // A change of theme fades; its end counts.
      for (const fading of element.getAnimations()) fading.finish()
      const grounds = []
      for (let at = element; at; at = at.parentElement)
        grounds.unshift(colorOf(getComputedStyle(at).backgroundColor))
      const over = (below, [red, green, blue, share = 1]) =>
        [red, green, blue].map((part, at) => part * share + below[at] * (1 - share))
      const ground = grounds.reduce(over)
      const ink = over(ground, colorOf(getComputedStyle(element).color))
      const both = [ink, ground].map(lightnessOf)
      return (Math.max(...both) + 0.05) / (Math.min(...both) + 0.05)
    },
    /** Serious and critical accessibility faults, as `rule: element`. The page must have loaded axe. */
    violations: async (rules) => {
      // Finishes animations, because a change of theme fades and only its end counts. Endless animations, as of a
      // skeleton, are left alone.
      for (const animation of document.getAnimations())
        if (animation.effect?.getComputedTiming().endTime !== Infinity) animation.finish()
      const found = await globalThis.axe.run(document, {
        resultTypes: ['violations'],
        preload: false,
        iframes: false,
        ...(rules ? { runOnly: { type: 'rule', values: rules } } : {}),
      })
      return found.violations
        .filter(({ impact }) => impact === 'serious' || impact === 'critical')
        .flatMap(({ id, nodes }) =>
          nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')} ${failureSummary}`),
        )
    },
  }
}

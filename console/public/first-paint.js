// Runs before anything is painted: the stored theme, language and name, so that nothing flashes. It stays to tell what failed before there is a
// console that could.
// A file of its own because the content security policy allows no inline script.
;(() => {
  const read = (key) => {
    try {
      return localStorage.getItem(key)
    } catch {
      return null
    }
  }
  const isDark =
    (read('theme-mode') ??
      (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')) === 'dark'
  if (isDark) document.body.setAttribute('arco-theme', 'dark')
  document.documentElement.style.colorScheme = isDark ? 'dark' : 'light'
  const language = read('i18nextLng') ?? navigator.language
  document.documentElement.lang = language.startsWith('en') ? 'en' : 'zh'
  const name = read('system_name')
  if (name) document.title = name

  const words = {
    en: ['This page could not be loaded', 'Check the connection and try again.', 'Try again'],
    zh: ['页面加载失败', '请检查网络后重试。', '重试'],
  }[document.documentElement.lang]
  const showFault = ({ target }) => {
    const wait = document.querySelector('.first-wait')
    if (!wait || (target !== window && target.tagName !== 'SCRIPT')) return
    const [title, hint, again] = words
    const state = document.createElement('main')
    state.className = 'state'
    state.setAttribute('role', 'alert')
    for (const [tag, text, className] of [
      ['h1', title, 'state-title'],
      ['p', hint, 'state-hint'],
      ['a', again, 'button-link'],
    ])
      state.append(Object.assign(document.createElement(tag), { textContent: text, className }))
    state.lastChild.href = location.href
    wait.replaceWith(state)
  }
  addEventListener('error', showFault, true)
})()

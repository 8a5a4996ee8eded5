// Runs before anything is painted: the stored theme, language and name, so that nothing flashes.
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
})()

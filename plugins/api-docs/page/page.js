// Shows the document for the signed-in user, and tries calls with that session.
/* global SwaggerUIBundle */
document.documentElement.classList.toggle('dark-mode', read('theme-mode') === 'dark')

SwaggerUIBundle({
  url: '/docs/json',
  dom_id: '#docs',
  deepLinking: true,
  docExpansion: 'none',
  filter: true,
  // The document is not sent to any other host.
  validatorUrl: null,
  requestInterceptor: (request) => {
    const userId = ownId()
    if (userId !== undefined && new URL(request.url, location.href).origin === location.origin) {
      request.headers['New-API-User'] ??= String(userId)
    }
    return request
  },
})

function ownId() {
  try {
    return JSON.parse(read('user') ?? 'null')?.id
  } catch {
    return undefined
  }
}

function read(key) {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

// Plain JavaScript: nothing is built. The names below lead to the console's own copies.
import { createElement } from 'react'
import { Card, formatCount, useData, useTexts } from 'tollgate/console'

function PeopleCard() {
  const t = useTexts('acme')
  const { data } = useData('/api/acme')
  // A card that draws nothing takes no room.
  if (data === undefined) return null
  return createElement(
    Card,
    { title: t('title') },
    createElement('p', null, t('people', { shown: formatCount(data.people) })),
  )
}

export default {
  widgets: [
    {
      id: 'acme',
      title: 'title',
      // Whoever may call its route.
      access: 'admin',
      // Ascending; the built-in cards leave gaps of ten.
      order: 905,
      // A third of a row; `medium` is a half, `wide` all of it.
      size: 'small',
      load: () => Promise.resolve({ default: PeopleCard }),
    },
  ],
  texts: {
    en: { title: 'Acme', people: '{shown} accounts' },
    zh: { title: 'Acme', people: '共 {shown} 个账号' },
  },
}

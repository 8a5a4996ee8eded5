// Plain ES module: nothing is built. The names below lead to the console's own copies through its import map.
import { createElement, useEffect, useState } from 'react'
import { IconHeart } from '@arco-design/web-react/icon'
import { api, Card, Page, useTexts } from 'tollgate/console'

function GreetingScreen() {
  const t = useTexts('greeting')
  const [text, setText] = useState('')
  useEffect(() => {
    api.get('/api/greeting').then(setText, () => setText(''))
  }, [])
  return createElement(Page, { title: t('title') }, createElement('p', { 'data-greeting': true }, text))
}

function GreetingCard() {
  const t = useTexts('greeting')
  return createElement(Card, { title: t('title') }, createElement('p', null, t('card')))
}

export default {
  screens: [
    {
      path: '/greeting',
      title: 'title',
      menu: { group: 'personal', order: 90, icon: IconHeart },
      load: () => Promise.resolve({ default: GreetingScreen }),
    },
  ],
  // A card of the overview.
  widgets: [
    {
      id: 'greeting',
      title: 'title',
      order: 900,
      size: 'small',
      load: () => Promise.resolve({ default: GreetingCard }),
    },
  ],
  texts: {
    en: { title: 'Greeting', card: 'A card from outside' },
    zh: { title: '问候', card: '来自外部的卡片' },
  },
}

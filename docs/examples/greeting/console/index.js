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

// Stands on the settings page below the option's field, which the page draws by itself.
function GreetingPreview() {
  const t = useTexts('greeting')
  return createElement('p', { 'data-greeting-preview': true }, t('preview'))
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
  settings: [
    {
      id: 'preview',
      tab: 'other',
      section: 'greeting',
      load: () => Promise.resolve({ default: GreetingPreview }),
    },
  ],
  texts: {
    en: {
      title: 'Greeting',
      card: 'A card from outside',
      preview: 'The greeting is shown on its own screen.',
      options: { GreetingText: 'Words of the greeting' },
    },
    zh: {
      title: '问候',
      card: '来自外部的卡片',
      preview: '问候语显示在它自己的页面上。',
      options: { GreetingText: '问候语' },
    },
  },
}

// Plain ES module: nothing is built. The names below lead to the console's own copies through its import map.
import { createElement, useEffect, useState } from 'react'
import { IconHeart } from '@arco-design/web-react/icon'
import { api, Page, useTexts } from 'tollgate/console'

function GreetingScreen() {
  const t = useTexts('greeting')
  const [text, setText] = useState('')
  useEffect(() => {
    api.get('/api/greeting').then(setText, () => setText(''))
  }, [])
  return createElement(Page, { title: t('title') }, createElement('p', { 'data-greeting': true }, text))
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
  texts: { en: { title: 'Greeting' }, zh: { title: '问候' } },
}

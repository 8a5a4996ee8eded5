// The widget of any form that asks for a check, and the words of the options.
import { createElement, useState } from 'react'
import { Button } from '@arco-design/web-react'
import { useTexts } from 'tollgate/console'

function Check({ onToken }) {
  const t = useTexts('acme')
  const [isDone, setDone] = useState(false)
  const press = () => {
    setDone(true)
    // A real widget gets its token from the service; a new one is asked for after each use.
    onToken(crypto.randomUUID())
  }
  return createElement(Button, { onClick: press, disabled: isDone }, t(isDone ? 'done' : 'check'))
}

export default {
  botChecks: [
    {
      id: 'acme',
      isEnabled: (status) => status['acme_check'] === true,
      load: () => Promise.resolve({ default: Check }),
    },
  ],
  texts: {
    en: {
      check: 'I am a person',
      done: 'Thank you',
      sections: { 'acme': 'Acme' },
      options: { AcmeEnabled: 'Check who signs in', AcmeAddress: 'Address of Acme', AcmeSecret: 'Key' },
    },
    zh: {
      check: '我是真人',
      done: '谢谢',
      sections: { 'acme': 'Acme' },
      options: { AcmeEnabled: '登录时验证真人', AcmeAddress: 'Acme 地址', AcmeSecret: '密钥' },
    },
  },
}

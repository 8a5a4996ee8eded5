import { createElement } from 'react'
import { useTexts } from 'tollgate/console'

function TickBox({ onToken }) {
  const t = useTexts('tick-box')
  const tick = ({ target }) => onToken(target.checked ? 'ticked' : undefined)
  const box = createElement('input', { type: 'checkbox', onChange: tick })
  return createElement('label', null, box, ' ', t('human'))
}

export default {
  botChecks: [
    {
      id: 'tick-box',
      isEnabled: (status) => status['tick_box'] === true,
      load: () => Promise.resolve({ default: TickBox }),
    },
  ],
  texts: {
    en: { human: 'I am a person', options: { TickBoxEnabled: 'Ask people to tick a box' } },
    zh: { human: '我是真人', options: { TickBoxEnabled: '要求用户勾选验证' } },
  },
}

import { createElement } from 'react'
import { Card, useTexts } from 'tollgate/console'

export function HoursCard() {
  const t = useTexts('acme')
  return createElement(Card, { title: t('hours') }, t('hoursText'))
}

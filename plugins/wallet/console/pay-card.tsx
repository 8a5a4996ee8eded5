import { Button, Radio } from '@arco-design/web-react'
import { useEffect, useState } from 'react'
import { Link } from 'react-router-dom'
import {
  api,
  Card,
  type Data,
  formatDollars,
  formatExact,
  formatPercent,
  Loaded,
  messageOf,
  NumberInput,
  toast,
  useAction,
  useCanVisit,
  usePreferences,
  useQuotaStyle,
  useTexts,
} from '#console'
import { discountFor, type Offer, type PayMethod, soundAmount } from './offer.ts'
import { moneyText } from './order.ts'
import { openPayment, type Payment } from './open-payment.ts'

/** Online payment, or a message if no method is on. */
export function PayCard({ offer, onOrdered }: { offer: Data<Offer>; onOrdered: () => void }) {
  const t = useTexts('wallet')
  const [first] = offer.data?.methods ?? []
  return (
    <Card title={t('pay.title')} hint={first ? t('pay.hint') : undefined}>
      <Loaded from={offer}>
        {(data) =>
          first ? <PayForm offer={data} first={first} onOrdered={onOrdered} /> : <NoWay />
        }
      </Loaded>
    </Card>
  )
}

function NoWay() {
  const t = useTexts('wallet')
  const canSet = useCanVisit('/setting')
  return (
    <>
      <p className="muted">{t('pay.off')}</p>
      {canSet ? <Link to="/setting?tab=system#payment">{t('orders.toSettings')}</Link> : null}
    </>
  )
}

function PayForm({
  offer,
  first,
  onOrdered,
}: {
  offer: Offer
  first: PayMethod
  onOrdered: () => void
}) {
  const t = useTexts('wallet')
  const [amount, setAmount] = useState<number | undefined>(
    Math.max(first.minimum, offer.amount_options[0] ?? 1),
  )
  const [methodId, setMethod] = useState(first.id)
  const method = offer.methods.find(({ id }) => id === methodId) ?? first
  const price = usePrice(amount, method)
  const [pay, isPaying] = useAction(async () => {
    const body = { amount: soundAmount(amount), top_up_code: '', payment_method: method.id }
    const { data, url } = await api.envelope<Payment['data'], { url: string }>(
      'POST',
      '/api/user/pay',
      body,
    )
    onOrdered()
    openPayment({ data, url })
    toast.success(t('pay.started'))
  })
  return (
    <>
      <AmountField offer={offer} value={amount} onChange={setAmount} minimum={method.minimum} />
      <fieldset className="wallet-methods">
        <legend>{t('pay.method')}</legend>
        <Radio.Group
          type="button"
          value={method.id}
          onChange={(value: string) => setMethod(value)}
          options={offer.methods.map(({ id, name }) => ({ value: id, label: name }))}
        />
      </fieldset>
      <PriceLine
        price={price}
        currency={method.currency}
        factor={discountFor(offer, amount ?? 0)}
      />
      <Button
        type="primary"
        loading={isPaying}
        disabled={price.money === undefined || Number.isNaN(amount)}
        onClick={() => void pay()}
      >
        {t('pay.submit')}
      </Button>
    </>
  )
}

function AmountField({
  offer,
  value,
  onChange,
  minimum,
}: {
  offer: Offer
  value: number | undefined
  onChange: (amount: number | undefined) => void
  minimum: number
}) {
  const t = useTexts('wallet')
  const { inCurrency, quotaPerUnit } = useQuotaStyle()
  const shown = (amount: number) =>
    inCurrency ? formatDollars(amount * quotaPerUnit, quotaPerUnit) : formatExact(amount)
  return (
    <div className="wallet-amount">
      <label htmlFor="wallet-amount">{t('pay.amount')}</label>
      <div className="wallet-options" role="group" aria-label={t('pay.options')}>
        {offer.amount_options
          .filter((amount) => amount >= minimum)
          .map((amount) => (
            <Button
              key={amount}
              type={amount === value ? 'outline' : 'secondary'}
              aria-pressed={amount === value}
              onClick={() => onChange(amount)}
            >
              {shown(amount)}
            </Button>
          ))}
      </div>
      <NumberInput
        id="wallet-amount"
        value={value}
        onChange={onChange}
        onBlur={() => onChange(soundAmount(value))}
        precision={0}
        prefix={inCurrency ? '$' : undefined}
      />
      <p className="muted">{t('pay.minimum', { amount: shown(minimum) })}</p>
    </div>
  )
}

interface Price {
  money: string | undefined
  fault: string | undefined
}

const pauseMs = 300

const notYet: Price = { money: undefined, fault: undefined }

/** The price that the server states for the amount, asked shortly after typing. Until the answer arrives no price is
 *  shown, because the previous one belongs to another amount. */
function usePrice(amount: number | undefined, method: PayMethod): Price {
  const [quote, setQuote] = useState<Price & { wish: string }>()
  const wish = `${amount} ${method.id}`
  useEffect(() => {
    const limit = new AbortController()
    const ask = async () => {
      if (Number.isNaN(amount)) return
      const body = { amount: soundAmount(amount), top_up_code: '', payment_method: method.id }
      try {
        const options = { isQuiet: true, signal: limit.signal }
        const money = await api.post<string>('/api/user/amount', body, options)
        setQuote({ wish, money, fault: undefined })
      } catch (error) {
        if (!limit.signal.aborted) setQuote({ wish, money: undefined, fault: messageOf(error) })
      }
    }
    const timer = window.setTimeout(() => void ask(), pauseMs)
    return () => {
      window.clearTimeout(timer)
      limit.abort()
    }
  }, [amount, method.id, wish])
  return quote?.wish === wish ? quote : notYet
}

function PriceLine({
  price,
  currency,
  factor,
}: {
  price: Price
  currency: string
  factor: number
}) {
  const t = useTexts('wallet')
  const language = usePreferences((preferences) => preferences.language)
  return (
    <p className="wallet-price" role="status">
      {price.fault === undefined ? (
        <>
          {t('pay.price')}{' '}
          <strong className="number">
            {price.money === undefined ? '–' : moneyText(price.money, currency, language)}
          </strong>
          {factor < 1 ? (
            <span className="muted">
              {' '}
              {t('pay.discount', { percent: formatPercent(1 - factor) })}
            </span>
          ) : null}
        </>
      ) : (
        <span className="tone-danger">{price.fault}</span>
      )}
    </p>
  )
}

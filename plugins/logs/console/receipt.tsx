import { formatDollars, formatExact, formatRatio, useQuotaStyle, useTexts } from '#console'
import type { LogFacts, LogRow, ReceiptLine } from './log-row.ts'
import { factorsOf, groupDigits, sumDecimals } from './receipt-math.ts'

/** The charge line by line, so that it can be recomputed by hand. */
export function Receipt({ row, facts }: { row: LogRow; facts: LogFacts }) {
  const t = useTexts('logs')
  const { quotaPerUnit } = useQuotaStyle()
  const lines = facts.receipt?.lines ?? []
  const hasTokens = lines.some(({ part }) => isToken(part))
  if (!facts.receipt) return <p className="muted">{t('receipt.none')}</p>
  return (
    <section className="receipt" aria-label={t('receipt.title')}>
      <header>
        <h3>{t('receipt.title')}</h3>
        <p>{t('receipt.hint')}</p>
      </header>
      {lines.length === 0 ? (
        <p>{t('receipt.free')}</p>
      ) : (
        <table>
          <thead>
            <tr>
              <th scope="col">{t('receipt.part')}</th>
              <th scope="col" className="align-right">
                {t('receipt.count')}
              </th>
              <th scope="col" className="align-right">
                {t('receipt.unitPrice')}
              </th>
              {hasTokens ? (
                <th scope="col" className="align-right receipt-million">
                  {t('receipt.perMillion')}
                </th>
              ) : null}
              <th scope="col" className="align-right">
                {t('receipt.amount')}
              </th>
            </tr>
          </thead>
          <tbody>
            {lines.map((line) => (
              <Line key={line.part} line={line} facts={facts} hasMillion={hasTokens} />
            ))}
          </tbody>
        </table>
      )}
      <Total row={row} lines={lines} total={facts.receipt.total} />
      <p className="receipt-rate">{t('receipt.rate', { units: formatExact(quotaPerUnit) })}</p>
    </section>
  )
}

/** Parts of what other models used for the call, at their own prices, by how they begin. */
const ofOtherModels = [
  { prefix: 'image_generation:', fact: 'image_generation_model' },
  { prefix: 'svg:', fact: 'svg_model' },
] as const

function Line({
  line,
  facts,
  hasMillion,
}: {
  line: ReceiptLine
  facts: LogFacts
  hasMillion: boolean
}) {
  const t = useTexts('logs')
  const { quotaPerUnit } = useQuotaStyle()
  const { part, count, unit_price, amount } = line
  const factors = factorsOf(line, facts, quotaPerUnit)
  return (
    <tr>
      <th scope="row">
        {nameOf(part, facts, t)}
        {factors ? (
          <small>
            {factors
              .map(({ name, value }) => {
                const format = name === 'unit' ? formatExact : formatRatio
                return t(`factor.${name}`, { value: format(value) })
              })
              .join(' × ')}
          </small>
        ) : null}
      </th>
      <td className="align-right">{formatExact(count)}</td>
      <td className="align-right">
        <span className="muted" aria-hidden>
          ×{' '}
        </span>
        {groupDigits(unit_price)}
      </td>
      {hasMillion ? (
        <td className="align-right receipt-million">
          {isToken(part) ? formatDollars(Number(unit_price) * 1e6, quotaPerUnit) : null}
        </td>
      ) : null}
      <td className="align-right">{groupDigits(amount)}</td>
    </tr>
  )
}

function nameOf(part: string, facts: LogFacts, t: ReturnType<typeof useTexts>): string {
  if (part.startsWith('tool:')) return t('part.tool', { name: part.slice(5) })
  for (const { prefix, fact } of ofOtherModels) {
    if (!part.startsWith(prefix)) continue
    return `${facts[fact] ?? prefix.slice(0, -1)}: ${nameOf(part.slice(prefix.length), facts, t)}`
  }
  const [, own, model] = /^delegated:([^@]*)@(.*)$/s.exec(part) ?? []
  if (own !== undefined) return `${model}: ${nameOf(own, facts, t)}`
  return t.has(`part.${part}`) ? t(`part.${part}`) : part
}

function Total({
  row,
  lines,
  total,
}: {
  row: LogRow
  lines: readonly ReceiptLine[]
  total: number
}) {
  const t = useTexts('logs')
  const { quotaPerUnit } = useQuotaStyle()
  const sum = sumDecimals(lines.map(({ amount }) => amount))
  const isRounded = sum !== String(total)
  const isLeast = isRounded && Number(sum) < 0.5
  return (
    <dl className="receipt-total">
      {isRounded ? (
        <>
          <div>
            <dt>{t('receipt.sum')}</dt>
            <dd>{groupDigits(sum)}</dd>
          </div>
          <div>
            <dt>{t(isLeast ? 'receipt.least' : 'receipt.rounded')}</dt>
            <dd>{formatExact(total)}</dd>
          </div>
        </>
      ) : null}
      <div className="receipt-charge">
        <dt>{t('receipt.charge')}</dt>
        <dd>
          {formatExact(row.quota)}
          <span>{formatDollars(row.quota, quotaPerUnit)}</span>
        </dd>
      </div>
    </dl>
  )
}

function isToken(part: string): boolean {
  return part !== 'call' && !/^(?:delegated:)?(?:tool:|call@)/.test(part)
}

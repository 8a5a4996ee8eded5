import { Input } from '@arco-design/web-react'
import { IconLeft, IconRight } from '@arco-design/web-react/icon'
import { useState } from 'react'
import { pageSizes } from '../../stores/preferences.ts'
import { formatExact } from '../../format/quota.ts'
import { type Texts, useTexts } from '../../texts/use-texts.ts'
import { IconButton } from '../icon-button.tsx'
import { Select } from '../forms/select.tsx'

export interface PagerProps {
  page: number
  pageSize: number
  /** Undefined if the server does not report it. */
  total: number | undefined
  /** False: there are more than `total`. */
  isTotalExact?: boolean
  hasNextPage: boolean
  onPage(page: number): void
  onPageSize(size: number): void
}

/** Where in the list one is. Own instead of Arco's, whose size chooser overflows a phone and misnames its options. */
export function Pager(props: PagerProps) {
  const { page, pageSize, total, isTotalExact = true, hasNextPage, onPage, onPageSize } = props
  const t = useTexts()
  const isCounted = total !== undefined && isTotalExact
  const pages = isCounted ? Math.max(1, Math.ceil(total / pageSize)) : undefined
  return (
    <nav className="pager" aria-label={t('pager.region')}>
      <span className="muted number">{totalOf(props, t)}</span>
      <div className="pager-pages">
        <IconButton
          icon={<IconLeft />}
          label={t('pager.previous')}
          size="small"
          disabled={page <= 1}
          onClick={() => onPage(page - 1)}
        />
        {pages === undefined ? (
          <span className="number">{page}</span>
        ) : (
          <PageNumbers page={page} pages={pages} onPage={onPage} />
        )}
        <IconButton
          icon={<IconRight />}
          label={t('pager.next')}
          size="small"
          disabled={!hasNextPage}
          onClick={() => onPage(page + 1)}
        />
        {pages === undefined || pages > MOST_IN_SIGHT ? (
          <PageField page={page} pages={pages} onPage={onPage} />
        ) : null}
      </div>
      <Select
        size="small"
        className="pager-size"
        label={t('pager.size')}
        value={pageSize}
        onChange={onPageSize}
        choices={pageSizes.map((size) => ({ value: size, label: t('pager.sizeOf', { size }) }))}
      />
    </nav>
  )
}

/** How many rows there are, in words. */
export function totalOf(
  { total, isTotalExact = true }: Pick<PagerProps, 'total' | 'isTotalExact'>,
  t: Texts,
): string {
  if (total === undefined) return ''
  return t(isTotalExact ? 'pager.total' : 'pager.totalOver', { total: formatExact(total) })
}

/** Up to this many pages need no field to enter a page number. */
const MOST_IN_SIGHT = 5

/** Leads to pages that have no button. A number beyond the end leads to the last page. */
function PageField({
  page,
  pages = Number.MAX_SAFE_INTEGER,
  onPage,
}: Pick<PagerProps, 'page' | 'onPage'> & { pages: number | undefined }) {
  const t = useTexts()
  const [text, setText] = useState('')
  const go = () => {
    setText('')
    const wanted = Math.min(Number(text), pages)
    if (wanted > 0 && wanted !== page) onPage(wanted)
  }
  return (
    <Input
      className="pager-field number"
      size="small"
      inputMode="numeric"
      aria-label={t('pager.goTo')}
      placeholder={t('pager.goTo')}
      value={text}
      maxLength={MOST_DIGITS}
      onChange={(typed) => setText(typed.replaceAll(/\D/g, ''))}
      onPressEnter={go}
      onBlur={go}
    />
  )
}

const MOST_DIGITS = 9

function PageNumbers({
  page,
  pages,
  onPage,
}: Pick<PagerProps, 'page' | 'onPage'> & { pages: number }) {
  const t = useTexts()
  return pagesAround(page, pages).map((entry, index) =>
    entry === 'gap' ? (
      <span key={`gap${index}`} className="muted" aria-hidden>
        …
      </span>
    ) : (
      <button
        key={entry}
        type="button"
        className="pager-page number"
        aria-label={t('pager.page', { page: entry })}
        aria-current={entry === page ? 'page' : undefined}
        onClick={() => onPage(entry)}
      >
        {entry}
      </button>
    ),
  )
}

/** First and last page, and one on each side of the current one. */
function pagesAround(page: number, pages: number): (number | 'gap')[] {
  const wanted = [1, page - 1, page, page + 1, pages].filter(
    (entry, index, all) => entry >= 1 && entry <= pages && all.indexOf(entry) === index,
  )
  return wanted.flatMap((entry, index) => {
    const before = wanted[index - 1] ?? 0
    if (entry - before > 2) return ['gap' as const, entry]
    return entry - before === 2 ? [entry - 1, entry] : [entry]
  })
}

import { Card, Duration, formatExact, Label, StatusTag, Time, useTexts } from '#console'
import type { LiveFigures } from '../schema.ts'
import { DurationOrNone } from './duration-or-none.tsx'

type Node = LiveFigures['nodes'][number]

const MEBIBYTE = 2 ** 20
const numbers = ['calls', 'inFlight', 'duration', 'waiting', 'commit', 'loop', 'memory'] as const

/** The processes of the gateway; one that ends is gone after twenty seconds. */
export function NodeTable({ nodes }: Pick<LiveFigures, 'nodes'>) {
  const t = useTexts('live-figures')
  return (
    <Card title={t('node.title')} hint={t('node.hint')} isFlush>
      <div className="table-scroll" role="region" aria-label={t('node.title')} tabIndex={0}>
        <table className="live-table">
          <thead>
            <tr>
              <th scope="col">{t('node.host')}</th>
              <th scope="col">{t('node.version')}</th>
              <th scope="col">{t('node.started')}</th>
              {numbers.map((name) => (
                <th key={name} scope="col" className="align-right">
                  {t(`node.${name}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {nodes.map((node, at) => (
              <NodeRow key={node.id} node={node} isThis={at === 0} />
            ))}
          </tbody>
        </table>
      </div>
    </Card>
  )
}

function NodeRow({ node, isThis }: { node: Node; isThis: boolean }) {
  const t = useTexts('live-figures')
  return (
    <tr>
      <th scope="row">
        {node.host} {isThis ? <Label>{t('node.this')}</Label> : null}{' '}
        {node.is_database_away ? <StatusTag tone="danger">{t('node.away')}</StatusTag> : null}
      </th>
      <td className="number">{node.version}</td>
      <td>
        <Time seconds={node.started_at} />
      </td>
      <td className="align-right number">{formatExact(node.calls)}</td>
      <td className="align-right number">{formatExact(node.in_flight)}</td>
      <td className="align-right">
        <DurationOrNone ms={node.duration_p95_ms} />
      </td>
      <td className="align-right number">{formatExact(node.ledger_waiting)}</td>
      <td className="align-right">
        <Duration ms={node.ledger_commit_ms} />
      </td>
      <td className="align-right">
        <Duration ms={node.event_loop_p99_ms} />
      </td>
      <td className="align-right number">
        {formatExact(Math.round(node.rss_bytes / MEBIBYTE))} MiB
      </td>
    </tr>
  )
}

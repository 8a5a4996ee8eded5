import {
  Card,
  Details,
  Duration,
  formatExact,
  Label,
  StatusTag,
  TableScroll,
  Time,
  useIsPhone,
  useTexts,
} from '#console'
import type { ReactNode } from 'react'
import type { LiveFigures } from '../schema.ts'
import { DurationOrNone } from './duration-or-none.tsx'

type Node = LiveFigures['nodes'][number]

const MEBIBYTE = 2 ** 20
const numbers = ['calls', 'inFlight', 'duration', 'waiting', 'commit', 'loop', 'memory'] as const

/** Processes report their figures every five seconds; one is marked as silent after more than one report is missing. */
const SILENT_SECONDS = 8

/** The processes of the gateway. One that was killed is shown as silent, and disappears after twenty seconds. */
export function NodeTable({ nodes }: Pick<LiveFigures, 'nodes'>) {
  const t = useTexts('live-figures')
  const isPhone = useIsPhone()
  if (isPhone) {
    return (
      <Card title={t('node.title')} hint={t('node.hint')} isFlush>
        {nodes.map((node, at) => (
          <NodeEntry key={node.id} node={node} isThis={at === 0} silence={silenceOf(node, nodes)} />
        ))}
      </Card>
    )
  }
  return (
    <Card title={t('node.title')} hint={t('node.hint')} isFlush>
      <TableScroll label={t('node.title')}>
        <table>
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
              <NodeRow
                key={node.id}
                node={node}
                isThis={at === 0}
                silence={silenceOf(node, nodes)}
              />
            ))}
          </tbody>
        </table>
      </TableScroll>
    </Card>
  )
}

interface NodeProps {
  node: Node
  isThis: boolean
  /** Seconds without a report, if they are too many; otherwise undefined. */
  silence: number | undefined
}

function silenceOf(node: Node, [answering]: readonly Node[]): number | undefined {
  const seconds = answering ? answering.told_at - node.told_at : 0
  return seconds >= SILENT_SECONDS ? seconds : undefined
}

function NodeRow({ node, isThis, silence }: NodeProps) {
  const values = valuesOf(node)
  return (
    <tr>
      <th scope="row">
        <NodeName node={node} isThis={isThis} silence={silence} />
      </th>
      <td className="number">{node.version}</td>
      <td>
        <Time seconds={node.started_at} />
      </td>
      {numbers.map((name) => (
        <td key={name} className="align-right number">
          {values[name]}
        </td>
      ))}
    </tr>
  )
}

/** For phones, where nothing may scroll sideways. */
function NodeEntry({ node, isThis, silence }: NodeProps) {
  const t = useTexts('live-figures')
  const values = valuesOf(node)
  return (
    <section className="live-entry">
      <h3>
        <NodeName node={node} isThis={isThis} silence={silence} />
      </h3>
      <Details
        items={[
          { label: t('node.version'), value: node.version },
          { label: t('node.started'), value: <Time seconds={node.started_at} /> },
          ...numbers.map((name) => ({ label: t(`node.${name}`), value: values[name] })),
        ]}
      />
    </section>
  )
}

function NodeName({ node, isThis, silence }: NodeProps) {
  const t = useTexts('live-figures')
  return (
    <>
      {node.host} {isThis ? <Label>{t('node.this')}</Label> : null}{' '}
      {silence === undefined ? null : (
        <StatusTag tone="warning">{t('node.silent', { seconds: silence })}</StatusTag>
      )}{' '}
      {node.is_database_away ? <StatusTag tone="danger">{t('node.away')}</StatusTag> : null}
    </>
  )
}

function valuesOf(node: Node): Record<(typeof numbers)[number], ReactNode> {
  return {
    calls: formatExact(node.calls),
    inFlight: formatExact(node.in_flight),
    duration: <DurationOrNone ms={node.duration_p95_ms} />,
    waiting: formatExact(node.ledger_waiting),
    commit: <Duration ms={node.ledger_commit_ms} />,
    loop: <Duration ms={node.event_loop_p99_ms} />,
    memory: `${formatExact(Math.round(node.rss_bytes / MEBIBYTE))} MiB`,
  }
}

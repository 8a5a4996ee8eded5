import { type Column, Quota, SecretText, StatusTag, type Texts, Time } from '#console'
import type { Redemption } from '../schema.ts'
import { stateOf } from './code.ts'

export function codeColumns(t: Texts): Column<Redemption>[] {
  return [
    {
      id: 'id',
      title: t('column.id'),
      render: ({ id }) => <span className="number muted">{id}</span>,
    },
    {
      id: 'name',
      title: t('column.name'),
      isTitle: true,
      render: ({ name }) => (
        <span className="cut-text" title={name}>
          {name}
        </span>
      ),
    },
    {
      id: 'status',
      title: t('column.status'),
      card: 'status',
      render: (code) => {
        const { key, tone } = stateOf(code)
        return <StatusTag tone={tone}>{t(`status.${key}`)}</StatusTag>
      },
    },
    {
      id: 'key',
      title: t('column.key'),
      render: ({ key }) => (
        <span className="code-key">
          <SecretText text={key} message={t('copied')} />
        </span>
      ),
    },
    {
      id: 'quota',
      title: t('column.quota'),
      align: 'right',
      card: 'fact',
      render: ({ quota }) => <Quota units={quota} isAligned />,
    },
    ...historyColumns(t),
  ]
}

function historyColumns(t: Texts): Column<Redemption>[] {
  return [
    {
      id: 'expires',
      title: t('column.expires'),
      card: 'fact',
      render: ({ expired_time }) => <Time seconds={expired_time} none={t('never')} />,
    },
    {
      id: 'created',
      title: t('column.created'),
      render: ({ created_time }) => <Time seconds={created_time} />,
    },
    {
      id: 'redeemed',
      title: t('column.redeemed'),
      isOptional: true,
      render: ({ redeemed_time }) => <Time seconds={redeemed_time} />,
    },
    {
      id: 'user',
      title: t('column.user'),
      render: ({ used_user_id }) =>
        used_user_id === 0 ? (
          <span className="muted">{t('nobody')}</span>
        ) : (
          <span className="number">{used_user_id}</span>
        ),
    },
  ]
}

import {
  type Column,
  Label,
  Labels,
  Quota,
  SecretText,
  StatusTag,
  type Texts,
  Time,
  tokenNameOf,
  tokenStatus,
  splitList,
} from '#console'
import type { Token } from '../schema.ts'
import { fullKey, stateOf } from './token.ts'

export function tokenColumns(t: Texts): Column<Token>[] {
  return [
    {
      id: 'name',
      title: t('column.name'),
      isTitle: true,
      render: (token) => (
        <span className="cut-text token-name" title={token.name}>
          {tokenNameOf(token)}
        </span>
      ),
    },
    {
      id: 'status',
      title: t('column.status'),
      card: 'status',
      render: (token) => <Status token={token} t={t} />,
    },
    {
      id: 'key',
      title: t('column.key'),
      render: (token) => <SecretText text={fullKey(token)} message={t('copied')} />,
    },
    {
      id: 'quota',
      title: t('column.quota'),
      align: 'right',
      card: 'fact',
      sortKey: 'remain_quota',
      render: (token) =>
        token.unlimited_quota ? t('unlimited') : <Quota units={token.remain_quota} isAligned />,
    },
    {
      id: 'used',
      title: t('column.used'),
      align: 'right',
      sortKey: 'used_quota',
      render: ({ used_quota }) => <Quota units={used_quota} isAligned />,
    },
    {
      id: 'group',
      title: t('column.group'),
      render: ({ group }) =>
        group ? (
          <Label>{group}</Label>
        ) : (
          <span className="muted token-own-group">{t('ownGroup')}</span>
        ),
    },
    ...timeColumns(t),
    ...limitColumns(t),
  ]
}

function timeColumns(t: Texts): Column<Token>[] {
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
      sortKey: 'created_time',
      isOptional: true,
      render: ({ created_time }) => <Time seconds={created_time} />,
    },
    {
      id: 'accessed',
      title: t('column.accessed'),
      sortKey: 'accessed_time',
      isOptional: true,
      render: ({ accessed_time }) => <Time seconds={accessed_time} />,
    },
  ]
}

function limitColumns(t: Texts): Column<Token>[] {
  return [
    {
      id: 'models',
      title: t('column.models'),
      isOptional: true,
      render: ({ model_limits_enabled, model_limits }) =>
        model_limits_enabled ? (
          <Labels names={splitList(model_limits)} isCode />
        ) : (
          <span className="muted">{t('allModels')}</span>
        ),
    },
    {
      id: 'addresses',
      title: t('column.addresses'),
      isOptional: true,
      render: ({ allow_ips }) => {
        const addresses = splitList(allow_ips, /\s+/)
        return addresses.length > 0 ? (
          <Labels names={addresses} isCode />
        ) : (
          <span className="muted">{t('anyAddress')}</span>
        )
      },
    },
  ]
}

function Status({ token, t }: { token: Token; t: Texts }) {
  const { key, tone } = stateOf(token)
  const hint = token.status === tokenStatus.disabled ? undefined : `statusHint.${key}`
  return (
    <StatusTag tone={tone} hint={hint && t.has(hint) ? t(hint) : undefined}>
      {t(`status.${key}`)}
    </StatusTag>
  )
}

import { copyText, Dialog, SecretText, useTexts } from '#console'
import type { Batch } from './create-tokens.ts'
import { fullKey } from './token.ts'

/** Shows the keys of tokens that were just created. */
export function MadeDialog({
  batch,
  wanted,
  onClose,
}: {
  batch: Batch
  wanted: number
  onClose: () => void
}) {
  const t = useTexts('tokens')
  const { made, failure } = batch
  const copyAll = () =>
    copyText(
      made.map(fullKey).join('\n'),
      made.length === 1 ? t('copied') : t('copiedMany', { count: made.length }),
    )
  return (
    <Dialog
      title={t('made.title', { count: made.length })}
      okText={made.length === 1 ? t('action.copyKey') : t('made.copyAll')}
      cancelText={t('close')}
      onOk={() => void copyAll().then((isCopied) => isCopied && onClose())}
      onClose={onClose}
      // Else "Show" has the focus, and its hint covers what is written here.
      okButtonProps={{ autoFocus: true }}
    >
      {failure ? (
        <p className="tone-danger" role="alert">
          {t('made.failed', { made: made.length, count: wanted, message: failure })}
        </p>
      ) : (
        <p>{t('made.text', { count: made.length })}</p>
      )}
      <ul className="made-keys">
        {made.map((token) => (
          <li key={token.id}>
            <span>{token.name}</span>
            <SecretText text={fullKey(token)} message={t('copied')} />
          </li>
        ))}
      </ul>
    </Dialog>
  )
}

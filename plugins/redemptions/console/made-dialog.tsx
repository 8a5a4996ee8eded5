import { Button } from '@arco-design/web-react'
import { IconDownload } from '@arco-design/web-react/icon'
import { copyText, Dialog, saveFile, useTexts } from '#console'

export interface Made {
  name: string
  codes: readonly string[]
}

/** Shows the new codes, to be copied or saved as a text file with one code per line. */
export function MadeDialog({ name, codes, onClose }: Made & { onClose: () => void }) {
  const t = useTexts('redemptions')
  const text = codes.join('\n')
  return (
    <Dialog
      title={t('made.title', { count: codes.length })}
      okText={t('made.copy', { count: codes.length })}
      cancelText={t('close')}
      onOk={() =>
        void copyText(text, t('copiedMany', { count: codes.length })).then(
          (isCopied) => isCopied && onClose(),
        )
      }
      onClose={onClose}
    >
      <p>{t('made.text')}</p>
      <pre className="made-codes" tabIndex={0} aria-label={t('made.list')}>
        {text}
      </pre>
      <Button
        type="text"
        icon={<IconDownload />}
        onClick={() =>
          saveFile(`${fileNameOf(name)}.txt`, new Blob([`${text}\n`], { type: 'text/plain' }))
        }
      >
        {t('made.download')}
      </Button>
    </Dialog>
  )
}

/** Removes characters that file systems do not allow. */
function fileNameOf(name: string): string {
  return name.replaceAll(/[\\/:*?"<>|\s]+/g, '-') || 'codes'
}

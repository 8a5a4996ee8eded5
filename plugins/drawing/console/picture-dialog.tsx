import { useState } from 'react'
import { Dialog, useTexts } from '#console'
import type { Drawing } from '../schema.ts'

/** The whole picture, with the prompt that it was made from. */
export function PictureDialog({ drawing, onClose }: { drawing: Drawing; onClose(): void }) {
  const t = useTexts('drawing')
  const [isBroken, setBroken] = useState(false)
  return (
    <Dialog
      title={t('picture', { id: drawing.mj_id })}
      onClose={onClose}
      footer={
        <a
          className="button-link is-quiet"
          href={drawing.image_url}
          target="_blank"
          rel="noopener noreferrer"
        >
          {t('openPicture')}
        </a>
      }
      className="drawing-picture"
    >
      {isBroken ? (
        <p className="tone-danger" role="alert">
          {t('pictureBroken')}
        </p>
      ) : (
        <img
          src={drawing.image_url}
          alt={drawing.prompt || t('picture', { id: drawing.mj_id })}
          referrerPolicy="no-referrer"
          onError={() => setBroken(true)}
        />
      )}
    </Dialog>
  )
}

// The pictures of a question that was not sent yet. They outlive the screen, but not the page: the storage of a tab is too small for them.
import { create } from 'zustand'

interface DraftPictures {
  userId: number | undefined
  images: readonly string[]
}

const none: readonly string[] = []

const useStore = create<DraftPictures>()(() => ({ userId: undefined, images: none }))

export function useDraftPictures(userId: number): readonly string[] {
  return useStore((draft) => imagesOf(draft, userId))
}

export function draftPictures(userId: number): readonly string[] {
  return imagesOf(useStore.getState(), userId)
}

export function setDraftPictures(userId: number, images: readonly string[]): void {
  useStore.setState({ userId, images })
}

function imagesOf(draft: DraftPictures, userId: number): readonly string[] {
  return draft.userId === userId ? draft.images : none
}

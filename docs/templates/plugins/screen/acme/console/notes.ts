import { type Data, useData } from 'tollgate/console'

export interface Note {
  id: string
  text: string
  created_at: number
}

export function useNotes(): Data<Note[]> {
  return useData<Note[]>('/api/acme')
}

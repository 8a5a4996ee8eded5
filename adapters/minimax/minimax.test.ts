import { testAdapter } from '#test'
import minimax from './index.ts'

testAdapter(minimax, new URL('./cases/', import.meta.url))

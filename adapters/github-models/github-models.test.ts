import { testAdapter } from '#test'
import githubModels from './index.ts'

testAdapter(githubModels, new URL('./cases/', import.meta.url))

import { answerJobs } from './verify-all.ts'

answerJobs()

# A chain of tasks that each write a file, for bench/resume.js: `python3 luigi-steps.py FOLDER STEPS`. Needs luigi.
import logging
import os
import sys
import time
import warnings

warnings.filterwarnings("ignore")
import luigi

folder, steps = sys.argv[1], int(sys.argv[2])
logging.disable(logging.CRITICAL)


class Step(luigi.Task):
    number = luigi.IntParameter()

    def requires(self):
        return [Step(self.number - 1)] if self.number > 0 else []

    def output(self):
        return luigi.LocalTarget(os.path.join(folder, f"{self.number}.txt"))

    def run(self):
        with open(os.path.join(folder, "started"), "a") as started:
            started.write(f"{self.number}\n")
        time.sleep(0.1)
        with self.output().open("w") as file:
            file.write(str(self.number))


done = luigi.build([Step(steps - 1)], local_scheduler=True, no_lock=True, log_level="CRITICAL")
sys.exit(0 if done else 1)
